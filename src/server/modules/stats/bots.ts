const words = [
  // Cubot makes telephones.
  '(?<!cu)bot',
  'crawl',
  'spider',
  'slurp',
  'archiver',
  'scrap',
  'fetch',
  'monitor',
  'preview',
  'headless',
  'phantom',
  'lighthouse',
  'pingdom',
  'uptime',
  'validator',
  'curl',
  'wget',
  'python',
  'java/',
  'okhttp',
  'go-http',
  'axios',
  'libwww',
  'httpclient',
  'feed',
]
const programs = new RegExp(words.join('|'), 'i')

/** People come with browsers, which say so; search engines and other programs say what they are, or nothing. */
export function isProgram(userAgent: string): boolean {
  return userAgent === '' || programs.test(userAgent)
}
