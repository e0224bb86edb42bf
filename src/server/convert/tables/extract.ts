import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { documentKinds } from '#shared/document-kinds.ts'
import type { TableFile } from '../converter.ts'
import type { Task } from '../formats/prepare-tasks.ts'
import { runTask } from '../formats/run-task.ts'
import type { Office } from '../office/office.ts'
import type { OfficeJob } from '../office/workdir.ts'
import { readStoredIndex } from './table-file.ts'

const spreadsheetExts: readonly string[] = documentKinds.excel.exts

/**
 * LibreOffice writes other workbooks as OpenDocument, which states each value as it is shown: no formats of numbers and
 * dates are interpreted here, and the cells say what the pages say.
 */
export async function extractTable(office: Office, job: OfficeJob): Promise<TableFile | undefined> {
  const { probe, original, folder } = job
  await mkdir(folder, { recursive: true })
  if (probe.format === 'csv') return readCells(job, probe.ext === '.tsv' ? 'tsv-cells' : 'csv-cells')
  if (probe.format !== 'office' || !spreadsheetExts.includes(probe.ext)) return undefined
  if (probe.ext === '.ods') return readCells(job, 'ods-cells')
  const path = await office.toOpenDocument(job)
  try {
    return await readCells({ ...job, original: { ...original, path, ext: '.ods' } }, 'ods-cells')
  } finally {
    await rm(path, { force: true })
  }
}

async function readCells({ original, folder, limits }: OfficeJob, task: Task): Promise<TableFile> {
  const target = join(folder, 'table')
  await runTask({ task, original, folder, target, limits })
  return { path: target, ...(await readStoredIndex(target)) }
}
