import { Quote } from 'lucide'
import { Icon } from '../../kit/index.ts'
import styles from './hello.module.css'
import { WORDS } from './words.ts'

/** Shown before the first message: tells the installer which facts to give, with an example. */
export function Hello() {
  return (
    <div className={styles.hello}>
      <svg className={styles.scene} viewBox="0 0 350 84" aria-hidden="true" focusable="false">
        <circle className={styles.sun} cx="268" cy="26" r="12" />
        <path className={styles.panel} d="M159 15.5l36 26.6" />
        <path className={styles.cells} d="M163 18.5l29 21.4" />
        <path className={styles.line} d="M0 76H112V44.5L104 50.4 150 16l46 34.4-8-5.9V76H350" />
        <path className={styles.line} d="M138 76V58h14v18" />
        <rect className={styles.battery} x="199" y="61" width="11" height="15" rx="2.5" />
      </svg>
      <h2>{WORDS.hello.title}</h2>
      <p className={styles.soft}>{WORDS.hello.how}</p>
      <p className={styles.example}>
        <Icon shape={Quote} />
        <span>{WORDS.hello.example}</span>
      </p>
      <p className={styles.soft}>{WORDS.hello.typed}</p>
    </div>
  )
}
