import type { Batch } from './candidates.ts'
import type { Found } from '../fulltext.ts'

/** What has been found out for one question. It depends on the index alone: who may see what is asked each time anew. */
export interface Findings {
  /** From the first one on, however often they are asked for. */
  batches(): AsyncGenerator<Batch>
  qualities: Map<number, number>
  bonuses: Map<number, number>
  /** What is shown of an entry, by its id and the last page that may be quoted. */
  shown: Map<string, Found>
}

export interface Memory {
  /** Of this question as far as it was answered before; `look` begins anew. */
  findings(question: string, look: () => AsyncGenerator<Batch>): Findings
  forget(question: string): void
}

/** Some ten megabytes. */
const mostQuestions = 1000
const mostCandidates = 1_000_000

/**
 * The next page of results, another filter, and what others ask as well cost little. All is forgotten when the version of
 * the index is another one; one that is not a number never is the same.
 */
export function openMemory(version: () => number): Memory {
  const kept = new Map<string, { findings: Findings; weight: number }>()
  let known = Number.NaN
  let weight = 0

  const forget = (question: string) => {
    weight -= kept.get(question)?.weight ?? 0
    kept.delete(question)
  }
  const makeRoom = () => {
    for (const question of kept.keys()) {
      if (weight <= mostCandidates && kept.size <= mostQuestions) return
      forget(question)
    }
  }
  const begin = (question: string, look: () => AsyncGenerator<Batch>): Findings => {
    const weigh = ({ found }: Batch) => {
      const one = kept.get(question)
      if (one?.findings !== findings) return
      one.weight += found.length
      weight += found.length
    }
    const batches = replayed(look(), { keep: packed, give: unpacked, onMore: weigh, onFailure: () => forget(question) })
    const findings = { batches, qualities: new Map(), bonuses: new Map(), shown: new Map() }
    return findings
  }
  return {
    forget,
    findings(question, look) {
      const now = version()
      if (now !== known) {
        kept.clear()
        weight = 0
        known = now
      }
      const one = kept.get(question) ?? { findings: begin(question, look), weight: 0 }
      // The last asked for are the last to go.
      kept.delete(question)
      kept.set(question, one)
      makeRoom()
      return one.findings
    },
  }
}

interface Packed extends Omit<Batch, 'found'> {
  ids: Float64Array
  pages: Uint16Array
}

/** A quarter of the room. */
function packed({ found, ...batch }: Batch): Packed {
  const ids = new Float64Array(found.length)
  const pages = new Uint16Array(found.length)
  for (const [at, one] of found.entries()) {
    ids[at] = one.id
    pages[at] = one.pages
  }
  return { ...batch, ids, pages }
}

function unpacked({ ids, pages, ...batch }: Packed): Batch {
  return { ...batch, found: Array.from(ids, (id, at) => ({ id, pages: pages[at] ?? 1 })) }
}

interface Replaying<T, K> {
  keep: (value: T) => K
  give: (kept: K) => T
  onMore: (value: T) => void
  onFailure: () => void
}

/** A generator that can be begun again: what it has given is kept, and it is asked on for more. */
function replayed<T, K>(source: AsyncGenerator<T>, { keep, give, onMore, onFailure }: Replaying<T, K>) {
  const steps: Promise<{ kept: K } | undefined>[] = []
  return async function* replay(): AsyncGenerator<T> {
    /** As it came: whoever is first need not have it unpacked. */
    let fresh: { at: number; value: T } | undefined
    const take = async (at: number) => {
      try {
        const step = await source.next()
        if (step.done) return undefined
        onMore(step.value)
        fresh = { at, value: step.value }
        return { kept: keep(step.value) }
      } catch (error) {
        onFailure()
        throw error
      }
    }
    for (let at = 0; ; at++) {
      const step = await (steps[at] ??= take(at))
      if (!step) return
      yield fresh?.at === at ? fresh.value : give(step.kept)
    }
  }
}
