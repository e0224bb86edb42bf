import { expect, test } from 'vitest'
import { findOffice, findProgram } from './sandbox/executables.ts'
import { findTools } from './tools.ts'

test('the dashboard learns what is installed, in which version, and what is lost without it', async () => {
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

test('a program is found where the system keeps programs, and missing ones are not made up', () => {
  expect(findProgram('sh')).toMatch(/\/sh$/)
  expect(findProgram('no-such-program')).toBeUndefined()
  expect(findProgram('no-such-program', 'sh')).toMatch(/\/sh$/)
})
