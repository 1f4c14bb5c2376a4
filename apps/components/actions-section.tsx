import { ArrowLeft } from 'lucide'
import { Button, ButtonRow, CopyButton, IconButton, LinkButton } from '../kit/index.ts'
import styles from './components.module.css'
import { Sample, Section } from './section.tsx'

const nothing = (): void => {}

export function ActionsSection() {
  return (
    <Section title="Buttons">
      <Sample of="Primary">
        <Button>Continue</Button>
      </Sample>
      <Sample of="Primary, waiting: label and width stay">
        <Button readiness="busy">Continue</Button>
      </Sample>
      <Sample of="Cannot act: says why">
        <Button unavailable="when you are online">Continue</Button>
      </Sample>
      <Sample of="Quiet">
        <Button look="quiet">Find</Button>
      </Sample>
      <Sample of="Bare">
        <Button look="bare">Show more</Button>
      </Sample>
      <Sample of="Danger, in a dialog only">
        <Button look="danger">Withdraw</Button>
      </Sample>
      <Sample of="LinkButton">
        <LinkButton href="#page">Open the case</LinkButton>
      </Sample>
      <Sample of="CopyButton">
        <CopyButton text="TH-4711" name="the reference" />
      </Sample>
      <Sample of="IconButton">
        <IconButton icon={ArrowLeft} label="Back to the step before" onClick={nothing} />
      </Sample>
      <Sample of="Equal: every consent, offer and approval" width="whole">
        <div className={styles.narrow}>
          <ButtonRow>
            <Button look="equal">No, do not search</Button>
            <Button look="equal">Yes, they may search</Button>
          </ButtonRow>
        </div>
      </Sample>
      <Sample of="Equal, waiting and unavailable" width="whole">
        <div className={styles.narrow}>
          <ButtonRow>
            <Button look="equal" readiness="busy">
              No, do not search
            </Button>
            <Button look="equal" unavailable="You are offline">
              Yes, they may search
            </Button>
          </ButtonRow>
        </div>
      </Sample>
    </Section>
  )
}
