import { catalogue, type Settings } from './settings.ts'

/** What the site calls its credits. */
export function creditName({ score: { credit_name } }: Pick<Settings, 'score'>): string {
  return credit_name || catalogue.score.fields.credit_name.default
}
