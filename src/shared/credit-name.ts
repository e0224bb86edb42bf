import { catalogue, type Settings } from './settings.ts'

/** What the site calls its credits. */
export function creditName({ score: { credit_name } }: Pick<Settings, 'score'>): string {
  return credit_name || catalogue.score.fields.credit_name.default
}

/** What credits are in money, as every visitor may know it. */
export function creditExchange({ score }: Pick<Settings, 'score'>): {
  credit_exchange: number
  show_exchange: boolean
} {
  return { credit_exchange: score.credit_exchange, show_exchange: score.show_exchange }
}
