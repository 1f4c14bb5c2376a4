import { Brand, CommandPalette } from '../kit/index.ts'
import { ActionsSection } from './actions-section.tsx'
import styles from './components.module.css'
import { ConversationSection } from './conversation-section.tsx'
import { FieldsSection } from './fields-section.tsx'
import { FiguresSection } from './figures-section.tsx'
import { LookSwitch } from './look-switch.tsx'
import { OperatorSection } from './operator-section.tsx'
import { ProgressSection } from './progress-section.tsx'
import { ReadingSection } from './reading-section.tsx'
import { sectionCommands } from './section-commands.ts'
import { SheetsSection } from './sheets-section.tsx'
import { StatesSection } from './states-section.tsx'
import { TeamSection } from './team-section.tsx'
import { TokensSection } from './tokens-section.tsx'

/** Every component of the kit in every state, for those who build pages with it. */
export function ComponentsPage() {
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <Brand name="Throughline" href="/" />
        <Brand name="Clearpath" demo />
        <h1>Components</h1>
        <CommandPalette commands={sectionCommands} />
      </header>
      <LookSwitch />
      <TokensSection />
      <ActionsSection />
      <FieldsSection />
      <FiguresSection />
      <ReadingSection />
      <ProgressSection />
      <SheetsSection />
      <StatesSection />
      <ConversationSection />
      <OperatorSection />
      <TeamSection />
    </main>
  )
}
