import { Eye, ListOrdered, Search, Share2 } from 'lucide'
import { FullText, KeyFacts, ReadingLine } from '../kit/index.ts'
import { Sample, Section } from './section.tsx'

const FACTS = [
  { icon: Eye, title: 'First, a soft search', text: 'You can see it on your file. Others cannot.' },
  {
    icon: ListOrdered,
    title: 'One lender at a time',
    text: 'We stop at the first that will lend.',
  },
  { icon: Search, title: 'A hard search only if you accept', text: 'Others can see it.' },
  { icon: Share2, title: 'What we share', text: 'Your name, your home and your income.' },
]

export function ReadingSection() {
  return (
    <Section title="Regulated text">
      <Sample of="KeyFacts" width="whole">
        <KeyFacts facts={FACTS} />
      </Sample>
      <Sample of="ReadingLine" width="whole">
        <ReadingLine />
      </Sample>
      <Sample of="FullText" width="whole">
        <FullText title="The full text" version="Version 3" end="You have reached the end.">
          <p>We ask lenders in this order, and each makes a soft search first.</p>
          <ul>
            <li>First Bank</li>
            <li>Second Bank</li>
          </ul>
        </FullText>
      </Sample>
    </Section>
  )
}
