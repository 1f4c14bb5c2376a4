import { LogOut, Phone } from 'lucide'
import { Button, Menu, Sheet, useSheet } from '../kit/index.ts'
import type { SheetState } from '../kit/index.ts'
import { Sample, Section } from './section.tsx'

export function SheetsSection() {
  const ask = useSheet('ask')
  const dialog = useSheet('dialog')
  return (
    <Section title="Sheet and menu">
      <Sample of="Sheet, at the bottom">
        <Button look="quiet" onClick={ask.open}>
          Ask a question
        </Button>
        <AskSheet sheet={ask} />
      </Sample>
      <Sample of="Sheet, in the middle">
        <Button look="quiet" onClick={dialog.open}>
          Withdraw
        </Button>
        <Sheet sheet={dialog} title="Withdraw your application?" place="middle">
          <p>No lender is asked after this. You can apply again.</p>
          <Button look="danger" onClick={dialog.close}>
            Withdraw
          </Button>
        </Sheet>
      </Sample>
      <Sample of="Menu">
        <div>
          <Menu
            label="Help"
            title="Help and options"
            items={[
              {
                key: 'call',
                icon: Phone,
                title: 'Call us',
                text: 'Weekdays, 9 to 5',
                act: { href: 'tel:08001234567' },
              },
              {
                key: 'leave',
                icon: LogOut,
                title: 'Withdraw',
                text: 'Before you decide',
                act: { onChoose: dialog.open },
              },
            ]}
          />
        </div>
      </Sample>
    </Section>
  )
}

function AskSheet({ sheet }: { readonly sheet: SheetState }) {
  return (
    <Sheet
      sheet={sheet}
      title="Ask"
      note="Nothing you ask changes your application."
      foot={<Button onClick={sheet.close}>Send</Button>}
    >
      <p>APR is the cost of the loan for a year, with all charges.</p>
    </Sheet>
  )
}
