import * as z from 'zod/mini'
import { contentSourceInput, maxSourceNameLength } from '#shared/contract/content-source.ts'
import { plainLine } from '#shared/plain-text.ts'

export interface ContentSource {
  sourceName: string
  sourceUrl: string
}

/** A source that was found, not typed: what a form would refuse is left out. */
export function toSourceColumns({ sourceName, sourceUrl }: ContentSource) {
  const { data = '' } = z.safeParse(contentSourceInput.source_url, sourceUrl)
  return { source_name: plainLine(sourceName).slice(0, maxSourceNameLength).toWellFormed(), source_url: data }
}

/** What a form changes; a key that it leaves out stays as it is. */
export function changedSource(form: { source_name?: string | undefined; source_url?: string | undefined }) {
  const { source_name, source_url } = form
  return { ...(source_name !== undefined && { source_name }), ...(source_url !== undefined && { source_url }) }
}
