import { Check, Hand, RefreshCw, TriangleAlert, WifiOff } from 'lucide'
import {
  Banner,
  Button,
  Disclosure,
  EmptyState,
  FailedState,
  LoadingState,
  Note,
  OfflineStrip,
  Strip,
  Tag,
} from '../kit/index.ts'
import styles from './components.module.css'
import { Sample, Section } from './section.tsx'

const nothing = (): void => {}

export function StatesSection() {
  return (
    <Section title="States and messages">
      <Sample of="OfflineStrip: shows while the browser is offline" width="whole">
        <OfflineStrip />
        <Strip tone="warning" icon={WifiOff}>
          You are offline. What you typed is safe on this device.
        </Strip>
      </Sample>
      <Sample of="Strip" width="whole">
        <Strip tone="note" icon={RefreshCw}>
          A new version is ready. It loads when you go on.
        </Strip>
      </Sample>
      <Sample of="Tag" width="whole">
        <div className={styles.inline}>
          <Tag>Working</Tag>
          <Tag tone="outline">Demo</Tag>
          <Tag tone="ok" icon={Check}>
            Done
          </Tag>
          <Tag tone="warning" icon={Hand}>
            Needs you
          </Tag>
          <Tag tone="problem" icon={TriangleAlert}>
            Failed
          </Tag>
          <Tag tone="note">Answering</Tag>
        </div>
      </Sample>
      <Messages />
      <Sample of="EmptyState">
        <EmptyState action={<Button look="quiet">Start a case</Button>}>
          Nothing here yet. Start a case and it appears here.
        </EmptyState>
      </Sample>
      <Sample of="LoadingState">
        <LoadingState label="Loading the cases" />
      </Sample>
      <Sample of="FailedState">
        <FailedState code="01A20269" onTryAgain={nothing}>
          We could not load the cases.
        </FailedState>
      </Sample>
      <Sample of="Disclosure: extra facts, never regulated text">
        <Disclosure summary="How we work out the rate">
          {() => <p>The rate depends on how long you repay.</p>}
        </Disclosure>
      </Sample>
    </Section>
  )
}

function Messages() {
  return (
    <>
      <Sample of="Note" width="whole">
        <Note>
          <b>An estimate, not an offer.</b> A lender may offer you another rate.
        </Note>
        <Note tone="warning">If you miss payments you may pay more.</Note>
        <Note tone="plain">You can stop at any time.</Note>
      </Sample>
      <Sample of="Banner" width="whole">
        <Banner tone="note">You said no. That is fine. No lender was asked.</Banner>
        <Banner tone="warning">The reply was interrupted.</Banner>
        <Banner tone="problem" action={<Button look="quiet">Try again</Button>}>
          We could not confirm that this was recorded. Trying again is safe.
        </Banner>
      </Sample>
    </>
  )
}
