import { useMemo, useState } from 'react'
import type { ThreadSnapshot } from 'throughline/react'
import type { Chat, PageEntry, ThreadView, Turns } from '../../kit/index.ts'
import { useChat, useStop, useTurns, inBackground } from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import { AskLine } from './ask-line.tsx'
import type { CardBar } from './card-frame.tsx'
import { CardBarContext } from './card-frame.tsx'
import type { CardOutcomeProps } from './card-outcome.tsx'
import { CardOutcome, SavingStatus } from './card-outcome.tsx'
import type { CancelChangeProps } from './card-place.tsx'
import { CancelChange, CardPlace } from './card-place.tsx'
import type { CaseView } from './case-view.ts'
import { mayChangeAnswers } from './case-view.ts'
import { ConnectionStrip } from './connection-strip.tsx'
import { currentCard, isEnded } from './current-card.ts'
import { countOf } from './details/parts.ts'
import { FirmProvider } from './firm-provider.tsx'
import { HelpMenu } from './help-menu.tsx'
import styles from './journey.module.css'
import { JourneySheets } from './journey-sheets.tsx'
import type { OfflinePress, PressPlace } from './offline-press.ts'
import { readinessOf, useOfflinePress } from './offline-press.ts'
import { PageHeader } from './page-header.tsx'
import { RecordedLine } from './recorded-line.tsx'
import { ReplyAnnouncer } from './reply-announcer.tsx'
import { SHELL_WORDS } from './shell-words.ts'
import type { Screen } from './screen.ts'
import { screenOf } from './screen.ts'
import { stepOf } from './steps.ts'
import { StepsRail } from './steps-rail.tsx'
import { useEndedDrafts } from './use-ended-drafts.ts'
import { useGreeting } from './use-greeting.ts'
import type { Pages } from './use-page-history.ts'
import { usePageHistory } from './use-page-history.ts'
import { usePageTitle } from './use-page-title.ts'

export interface JourneyProps {
  readonly entry: PageEntry
  readonly live: ThreadSnapshot<ThreadView>
  readonly view: CaseView
}

/** Shows one card as the whole screen, its place among the steps, and the sheets over it. */
export function Journey({ entry, live, view }: JourneyProps) {
  const turns = useTurns(entry, live)
  const chat = useChat(live.view, turns)
  const stop = useStop(entry, live.view.running)
  const pages = usePageHistory(view)
  const [acts, setActs] = useState(0)
  const act = (): void => setActs((count) => count + 1)
  const screen = screenOf(view, pages)
  const step = stepOf(screen.place)
  usePageTitle(step)
  useEndedDrafts(entry, view)
  useGreeting(greetingDue(chat.messages.length, view), turns)
  const offlinePress = useOfflinePress()
  const readiness = readinessOf(turns)
  const recordAt = (place: PressPlace) => recorderAt(place, { turns, pages, offlinePress, act })
  const { notePart, openPart, openSheet } = pages
  const bar = useCardBar({
    entry,
    chat,
    running: live.view.running,
    turns,
    screen,
    pages,
    offlineAt: offlinePress.place,
  })
  return (
    <FirmProvider view={view}>
      <JourneyHeader {...{ live, view, pages, screen, step }} offlineAt={offlinePress.place} />
      {/* Before the card: a sheet that closes gives the focus back, and only then does a new card take it. */}
      <JourneySheets
        {...{ pages, view, chat, turns, stop }}
        readiness={readiness}
        offlineAt={offlinePress.place}
        // After accepting an offer, the customer may still ask about the next steps.
        isEnded={isEnded(currentCard(view)) && view.caseOutcome?.kind !== 'selected'}
        record={recordAt('footer')}
      />
      {step !== undefined && <StepsRail step={step} />}
      <div className={styles.column}>
        <RecordedLine domainRecords={live.view.domainRecords} view={view} />
        <CardBarContext value={bar}>
          <CardPlace
            screen={screen}
            turns={turns}
            acts={acts + pages.moves}
            cover={pages.sheet === undefined || screen.kind === 'saved' ? 'none' : 'sheet'}
            entry={entry}
            view={view}
            readiness={readiness}
            record={recordAt('card')}
            parts={{ part: pages.entry.part?.position, notePart, openPart }}
            onAct={act}
            onChange={pages.openAgain}
            onToOpen={pages.toOpen}
            onCarryOn={() => pages.closeSheet('saved')}
            onSheet={openSheet}
            onAsk={(question) => askOnce(chat, pages, question)}
          />
        </CardBarContext>
      </div>
      {pages.sheet !== 'ask' && <ReplyAnnouncer items={chat.items} />}
    </FirmProvider>
  )
}

interface RecorderParts {
  readonly turns: Turns
  readonly pages: Pages
  readonly offlinePress: OfflinePress
  readonly act: () => void
}

function recorderAt(
  place: PressPlace,
  { turns, pages, offlinePress, act }: RecorderParts,
): CardProps['record'] {
  return (directEvents, onRecorded) => {
    if (!navigator.onLine) return offlinePress.note(place)
    act()
    const done = (): void => {
      pages.closeAgain()
      onRecorded?.()
    }
    inBackground(turns.take({ directEvents }, place, done))
  }
}

/** A button that asks for the customer asks once, and shows the answer again after that. */
function askOnce(chat: Chat, { openSheet }: Pages, question: string): void {
  openSheet('ask')
  const said = chat.messages.filter(({ role }) => role === 'user')
  if (![...said, ...chat.pending].some(({ text }) => text === question)) chat.say(question)
}

interface JourneyHeaderProps extends Pick<JourneyProps, 'live' | 'view'> {
  readonly pages: Pages
  readonly screen: Screen
  readonly step: number | undefined
  readonly offlineAt: OfflinePress['place']
}

function JourneyHeader({ live, view, pages, screen, step, offlineAt }: JourneyHeaderProps) {
  const isFirst = screen.place === 'handoff' || screen.place === 'service_status'
  return (
    <PageHeader
      step={step}
      state={stateWords(screen, pages)}
      demo={view.demonstration === true}
      onBack={isFirst ? undefined : () => history.back()}
      help={
        <HelpMenu
          pages={pages}
          onSupport={mayChangeAnswers(view) ? () => pages.openAgain('vulnerability') : undefined}
          exits={isEnded(currentCard(view)) || view.caseOutcome ? 'closed' : 'open'}
        />
      }
    >
      <ConnectionStrip live={live} offlineAt={offlineAt} />
    </PageHeader>
  )
}

/** Returns the header's text beside the step: that it is answered, or which part of it is shown. */
function stateWords(screen: Screen, { entry }: Pages): string | undefined {
  if (screen.kind === 'answered') return SHELL_WORDS.steps.answered
  if (!entry.part || !('card' in screen) || screen.card !== 'details') return undefined
  const { part, of } = countOf(entry.part.position.place)
  return SHELL_WORDS.steps.part(part, of)
}

interface CardBarParts
  extends Pick<CancelChangeProps, 'entry'>, Pick<CardOutcomeProps, 'offlineAt'> {
  readonly chat: Chat
  readonly running: string | undefined
  readonly turns: Turns
  readonly screen: Screen
  readonly pages: Pages
}

function useCardBar(parts: CardBarParts): CardBar {
  const { entry, chat, running, turns, screen, pages, offlineAt } = parts
  const { openSheet, closeAgain } = pages
  return useMemo(
    () => ({
      ask: <AskLine chat={chat} running={running} onOpen={() => openSheet('ask')} />,
      saving: <SavingStatus turns={turns} place="card" />,
      outcome: <CardOutcome turns={turns} place="card" offlineAt={offlineAt} />,
      exit:
        screen.kind === 'changed' ? (
          <CancelChange screen={screen} entry={entry} onCancel={closeAgain} />
        ) : null,
    }),
    [chat, running, turns, screen, entry, offlineAt, openSheet, closeAgain],
  )
}

function greetingDue(messages: number, { status }: CaseView): 'awaited' | 'empty' | 'begun' {
  if (status === 'intake') return 'awaited'
  return messages === 0 ? 'empty' : 'begun'
}
