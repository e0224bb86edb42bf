import { expect, test } from 'vitest'
import { findOffice, findExecutable } from './sandbox/executables.ts'
import { findTools } from './tools.ts'

test('the dashboard shows what is installed, in which version, and what does not work without it', async () => {
  const tools = await findTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'LibreOffice',
    '中文字体',
    '安全隔离',
    '7-Zip',
    'Poppler',
    'MuPDF',
    'sharp',
  ])
  for (const tool of tools) {
    if (tool.is_installed) expect(tool.version || tool.error, tool.name).not.toBe('')
    else expect(tool.error, tool.name).not.toBe('')
  }
  expect(tools.find(({ name }) => name === 'LibreOffice')?.is_installed).toBe(findOffice() !== undefined)
  expect(tools.find(({ name }) => name === 'MuPDF')?.version).toMatch(/^\d+\.\d+/)
})

test('an executable is found in the folders of the system, or it is undefined', () => {
  expect(findExecutable('sh')).toMatch(/\/sh$/)
  expect(findExecutable('no-such-program')).toBeUndefined()
  expect(findExecutable('no-such-program', 'sh')).toMatch(/\/sh$/)
})
