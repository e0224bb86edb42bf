import { isbot } from 'isbot'

/** Browsers say so in their user agent; search engines, monitors and scripts say what they are, or nothing. */
export function isBot(userAgent: string): boolean {
  return userAgent === '' || isbot(userAgent)
}
