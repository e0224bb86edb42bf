import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configHelp } from '#server/config.ts'

/** What ships the site names things that exist, and nothing else. */

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const variables = [...configHelp().matchAll(/^ {2}([A-Z_]+)/gm)].map(([, name = '']) => name)

test('the manual explains every variable, and the help knows every one that the manual explains', () => {
  const explained = [...read('docs/operations.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name = '']) => name)
  expect(explained.toSorted()).toEqual(variables.toSorted())
})

/** With glibc's defaults the server would keep what pages and pictures took: 658 MB instead of 213 (`bench/memory.ts`). */
test('however the server is started, its memory goes back to the system', () => {
  const ways = [
    (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts.start,
    /^CMD .*$/m.exec(read('Dockerfile'))?.[0],
    /^ExecStart=.*$/m.exec(read('deploy/wendou.service'))?.[0],
  ]
  for (const way of ways) expect(way).toContain('scripts/start.mjs')
  expect(read('scripts/start.mjs')).toMatch(/process\.execve\([^{]*\{\s*\.\.\.mallocEnv,/)
})

/** npm forgets the packages for other machines when it writes the file on one where it cannot get them. */
test.each(['x64', 'arm64'])('a Linux machine (%s) finds every native package in the lockfile', (machine) => {
  const { packages } = JSON.parse(read('package-lock.json')) as Lockfile
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
  const isForIt = new RegExp(`linux-${machine}(-gnu|-glibc)?$`)
  const native = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => isForIt.test(name))
  expect(native.length).toBeGreaterThan(5)
  expect(native.filter((name) => !names.has(name))).toEqual([])
})

interface Lockfile {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>
}

test('every file and section that the manual leads to exists', () => {
  const manual = read('docs/operations.md')
  const files = [...manual.matchAll(/`((?:deploy|e2e|scripts)\/[\w./-]*|compose\.yaml)`/g)].map(([, path = '']) => path)
  expect(files.length).toBeGreaterThan(4)
  for (const path of files) expect(existsSync(join(root, path)), path).toBe(true)
  const sections = [...manual.matchAll(/^#+ (.+)$/gm)].map(
    ([, title = '']) => `#${title.toLowerCase().replaceAll(' ', '-')}`,
  )
  for (const [, link] of manual.matchAll(/\]\((#[^)]+)\)/g)) expect(sections).toContain(link)
})

describe('the image', () => {
  const dockerfile = read('Dockerfile')

  test('copies what exists and is not ignored, and starts a script that is there', () => {
    const ignored = read('.dockerignore').split('\n')
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
    expect(copied).toContain('src')
    for (const name of copied) {
      expect(existsSync(join(root, name)), name).toBe(true)
      expect(ignored).not.toContain(name)
    }
    const [, script = ''] = /^CMD \["node", "([^"]+)"\]$/m.exec(dockerfile) ?? []
    expect(existsSync(join(root, script))).toBe(true)
  })

  test('does not run as root, tells its health, and sets only variables that are read', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(/^USER (\S+)$/m.exec(last)?.[1]).toBe('wendou')
    expect(last).toContain('/readyz')
    const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(last) ?? []
    const set = [...block.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name)
    expect(set.length).toBeGreaterThan(2)
    for (const name of set) expect([...variables, 'NODE_ENV']).toContain(name)
  })

  test('holds every converter and font that the start script would install', () => {
    const packages = [
      ...read('scripts/prepare/converters.mjs').matchAll(/'((?:libreoffice|fonts|poppler|p7zip)-[\w-]+)'/g),
    ]
    expect(packages.length).toBeGreaterThan(6)
    for (const [, name = ''] of [...packages, ['', 'bubblewrap']])
      expect(dockerfile).toMatch(new RegExp(`^ +${name} `, 'm'))
  })
})

test('the compose file sets only variables that the site reads', () => {
  const [, site = ''] = /x-wendou:([\s\S]*?)\n {2}database:/.exec(read('compose.yaml')) ?? []
  const set = [...site.matchAll(/^ {4,6}([A-Z][A-Z_]+):/gm)].map(([, name]) => name)
  expect(set).toContain('STORAGE_URL')
  for (const name of set) expect([...variables, 'NODE_ENV']).toContain(name)
})

describe('services', () => {
  const units = readdirSync(join(root, 'deploy')).filter((name) => name.endsWith('.service'))

  test.each(units)('%s runs a script that is there, as nobody in particular', (name) => {
    const unit = read(`deploy/${name}`)
    const [, script = '', rest = ''] = /^ExecStart=\/usr\/bin\/env node (scripts\/\S+)(.*)$/m.exec(unit) ?? []
    expect(existsSync(join(root, script))).toBe(true)
    expect(unit).toMatch(/^User=wendou$/m)
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m)
    for (const [, variable] of unit.matchAll(/^Environment=(\w+)=/gm))
      expect([...variables, 'NODE_ENV']).toContain(variable)
    if (script.endsWith('cli.mjs')) expect(rest).toMatch(/^ backup \//)
  })

  test('what the unit starts answers as the server does', () => {
    const [, command = ''] = /^ExecStart=\/usr\/bin\/env (.+)$/m.exec(read('deploy/wendou-backup.service')) ?? []
    const [program = '', ...words] = command.split(' ')
    const { status: exitCode, stdout } = spawnSync('/usr/bin/env', [program, ...words.slice(0, 2), '--help'], {
      cwd: root,
    })
    expect(exitCode).toBe(0)
    expect(String(stdout)).toContain('npm run cli -- backup')
  }, 60_000)

  test('the file of variables names only those that are read', () => {
    const set = [...read('deploy/wendou.env').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(set.length).toBeGreaterThan(4)
    for (const name of set) expect([...variables, 'NODE_ENV']).toContain(name)
  })
})
