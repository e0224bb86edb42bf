import type { Field } from './setting-fields.ts'
import { catalogue, type Settings } from './settings.ts'

/** What the site calls its credits. */
export function creditName({ score: { credit_name } }: Pick<Settings, 'score'>): string {
  return credit_name || catalogue.score.fields.credit_name.default
}

/** In the labels, which are declared before any setting is read, `{credits}` stands for the owner's word. */
export function nameCredits(text: string, name: string): string {
  return text.replaceAll('{credits}', name)
}

/** A setting with the owner's word in its label and help. */
export function nameCreditsOf<F extends Pick<Field, 'label' | 'help'>>(field: F, name: string): F {
  return {
    ...field,
    label: nameCredits(field.label, name),
    ...(field.help !== undefined && { help: nameCredits(field.help, name) }),
  }
}

/** What credits are in money, as every visitor may know it. */
export function creditExchange({ score }: Pick<Settings, 'score'>): {
  credit_exchange: number
  show_exchange: boolean
} {
  return { credit_exchange: score.credit_exchange, show_exchange: score.show_exchange }
}
