import { randomInt } from 'node:crypto'
import type { Settings } from '#shared/settings.ts'
import { speak } from './sound.ts'
import { draw } from './picture.ts'

export interface Captcha {
  answer: string
  /** A picture or a sound, as a data URI. */
  data: string
}

type Rules = Settings['captcha']

const digits = '0123456789'
/** Without characters that people confuse. */
const characters = '23456789abcdefghjkmnpqrstuvwxyz'

export function makeCaptcha(rules: Rules): Promise<Captcha> {
  const make = makers[rules.type] ?? makers.digit
  return make(rules)
}

const makers = {
  digit: (rules) => picture(randomText(digits, rules.length), rules),
  string: (rules) => picture(randomText(characters, rules.length), rules),
  math: (rules) => {
    const [a, b] = [randomInt(10, 50), randomInt(1, 10)]
    const plus = randomInt(2) === 0
    return picture(`${a}${plus ? '+' : '-'}${b}=?`, rules, String(plus ? a + b : a - b))
  },
  audio: async (rules) => {
    const answer = randomText(digits, rules.length)
    return { answer, data: `data:audio/wav;base64,${(await speak(answer)).toString('base64')}` }
  },
} satisfies Record<string, (rules: Rules) => Promise<Captcha>> as Record<string, (rules: Rules) => Promise<Captcha>> & {
  digit: (rules: Rules) => Promise<Captcha>
}

async function picture(text: string, { width, height }: Rules, answer = text): Promise<Captcha> {
  const png = await draw(text, { width, height })
  return { answer, data: `data:image/png;base64,${png.toString('base64')}` }
}

function randomText(source: string, length: number): string {
  return Array.from({ length }, () => source[randomInt(source.length)]).join('')
}
