import { candidates, type Place, type Source } from './candidates.ts'
import type { Findings, Memory } from './result-cache.ts'
import { present } from './snippets.ts'
import { type Query, readQuery } from './query.ts'
import type { Answer, Kind, Question } from '../fulltext.ts'
import type { Store } from './store.ts'
import { remembering, type Vocabulary } from '../text/vocabulary.ts'

export interface Index {
  store: Store
  vocabulary: Vocabulary
  memory: Memory
  /** Whoever has a page of results does not wait longer for the rest to be counted. */
  countingMs: number
}

export async function answer({ store, vocabulary, memory, countingMs }: Index, question: Question): Promise<Answer> {
  const query = readQuery(question.words)
  if (!query) return nothing
  await learn(store, vocabulary)
  const { kind, within } = question
  const source = { store, vocabulary: remembering(vocabulary), kind }
  const key = JSON.stringify([kind, within, query.phrase.text, ...query.words.map(({ text }) => text)])
  const findings = memory.findings(key, () =>
    candidates(source, query, { within, onGivenUp: () => memory.forget(key) }),
  )
  const patienceMs = question.arrange ? arrangingMs : countingMs
  const { accepted, more } = await collect(findings, question, patienceMs)
  if (accepted.length === 0) return { ...nothing, more }
  const ids = question.arrange
    ? await question.arrange(accepted.map(({ id }) => id))
    : await ranked(source, query, { accepted, findings, shown: question.offset + question.limit })
  const shown = ids.slice(question.offset, question.offset + question.limit)
  if (shown.length === 0) return { total: accepted.length, more, found: [] }
  const lastPages = (await question.lastPages?.(shown)) ?? shown.map(() => Infinity)
  const found = await present(
    source,
    query,
    shown.map((id, index) => ({ id, lastPage: lastPages[index] ?? 0 })),
    findings.shown,
  )
  return { total: accepted.length, more, found }
}

const nothing: Answer = { total: 0, more: false, found: [] }

export async function learn(store: Store, vocabulary: Vocabulary): Promise<void> {
  const { words, last } = await store.wordsAfter(vocabulary.last())
  // Another question may have brought them meanwhile.
  if (last !== vocabulary.last()) vocabulary.add(words, last)
}

interface Accepted {
  id: number
  place: Place
  worth: number
}

/** So many ids are put to who asked at a time: other requests may wait meanwhile. Fewer wait for more to come. */
const atOnce = 400
const few = 100
/** Whoever wants an order of their own wants it of all that there are, if they can be found in time. */
const arrangingMs = 200

async function collect(
  findings: Findings,
  question: Question,
  patienceMs: number,
): Promise<{ accepted: Accepted[]; more: boolean }> {
  const { accept, most, offset, limit } = question
  const accepted: Accepted[] = []
  const seen = new Set<number>()
  let waiting: Accepted[] = []
  const put = async () => {
    for (let at = 0; at < waiting.length && accepted.length < most; at += atOnce) {
      const some = waiting.slice(at, at + atOnce)
      const wanted = new Set(await accept(some.map(({ id }) => id)))
      accepted.push(...some.filter(({ id }) => wanted.has(id)))
    }
    waiting = []
  }
  const begun = performance.now()
  const isLong = () => performance.now() - begun > patienceMs
  for await (const { found, place, worth } of findings.batches()) {
    for (const { id, pages } of found) {
      if (seen.has(id)) continue
      seen.add(id)
      waiting.push({ id, place, worth: worth + Math.min(60, 12 * Math.log2(pages)) })
    }
    if (waiting.length < Math.min(few, most) && !isLong()) continue
    await put()
    if (accepted.length >= most) return { accepted: accepted.slice(0, most), more: true }
    if (isLong() && accepted.length >= offset + limit) return { accepted, more: true }
  }
  await put()
  return { accepted: accepted.slice(0, most), more: accepted.length >= most }
}

/** Heads are looked into only where there are few enough of them. */
const fewHeads = 300
const mostJudged = 400
const bestBonus = 90
const qualityShare = 0.3

interface Ranking {
  accepted: Accepted[]
  findings: Findings
  shown: number
}

/** The best first, as many as are shown. */
async function ranked(
  { store, kind }: Source,
  query: Query,
  { accepted, findings, shown }: Ranking,
): Promise<number[]> {
  const eligible = withChances(accepted, shown)
  const { qualities, bonuses } = findings
  await complete(
    qualities,
    eligible.map(({ id }) => id),
    (ids) => store.qualities(kind, ids),
  )
  const inHead = eligible.filter(({ place }) => place !== 'body').map(({ id }) => id)
  const isJudged = inHead.length <= fewHeads
  if (isJudged) await complete(bonuses, inHead, (ids) => headBonus(store, kind, query, ids))
  const scored = eligible.map(({ id, worth }) => ({
    id,
    score:
      worth +
      (isJudged ? (bonuses.get(id) ?? 0) : 0) +
      qualityShare * Math.min(100, Math.max(0, qualities.get(id) ?? 0)),
  }))
  return scored.toSorted((one, other) => other.score - one.score || other.id - one.id).map(({ id }) => id)
}

/** Looks up those that are not known yet. */
async function complete(
  known: Map<number, number>,
  ids: number[],
  lookUp: (ids: number[]) => Promise<Map<number, number>>,
): Promise<void> {
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) for (const [id, value] of await lookUp(missing)) known.set(id, value)
}

/** Those that can still come to be among the first, however good they turn out to be; of very many, the best and newest. */
function withChances(accepted: Accepted[], shown: number): Accepted[] {
  const sorted = accepted.toSorted((one, other) => other.worth - one.worth)
  const last = sorted[shown - 1]?.worth ?? 0
  const atBest = ({ worth, place }: Accepted) => worth + 100 * qualityShare + (place === 'body' ? 0 : bestBonus)
  return sorted.slice(0, Math.max(mostJudged, 2 * shown)).filter((one) => atBest(one) >= last)
}

async function headBonus(store: Store, kind: Kind, query: Query, ids: number[]): Promise<Map<number, number>> {
  const wanted = query.phrase.text
  const heads = await store.foldedHeads(kind, ids)
  return new Map(
    heads.map(({ id, title, keywords }) => {
      if (title === wanted) return [id, bestBonus]
      if (isWholeIn(title, wanted)) return [id, title.startsWith(wanted) ? 60 : 40]
      if (title.startsWith(wanted)) return [id, 30]
      return [id, keywords.includes(wanted) ? 50 : 0]
    }),
  )
}

/** Chinese has no spaces to tell; everything there counts as whole. */
function isWholeIn(folded: string, wanted: string): boolean {
  const at = folded.indexOf(wanted)
  if (at < 0) return false
  const touches = (one: string | undefined, other: string | undefined) => /^[a-z0-9]{2}$/u.test(`${one}${other}`)
  return !touches(folded[at - 1], wanted[0]) && !touches(wanted.at(-1), folded[at + wanted.length])
}
