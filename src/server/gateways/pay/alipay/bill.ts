import { isUtf8 } from 'node:buffer'
import * as z from 'zod/mini'
import { readerOfBuffer } from '#server/convert/archives/bytes.ts'
import { readEntry, readZip } from '#server/convert/archives/zip.ts'
import { parseRows } from '#server/convert/formats/csv.ts'
import { yuanToFen } from '../money.ts'
import { type BillEntry, PayProviderError } from '../pay-provider.ts'
import { unreadable } from './answer.ts'
import { parseBeijingTime } from '../beijing-time.ts'
import type { AlipayClient } from './client.ts'
import { SubCode } from './failures.ts'

const maxCsvBytes = 256 * 1_048_576

/** Undefined while Alipay has none: it is made the next morning. */
export async function readTradeBill(client: AlipayClient, day: string): Promise<BillEntry[] | undefined> {
  const url = await findBill(client, day)
  return url === undefined ? undefined : readArchive(await client.download(url))
}

export async function readArchive(archive: Buffer): Promise<BillEntry[]> {
  return (await unpackTables(archive)).flatMap(readTable)
}

async function findBill(client: AlipayClient, day: string): Promise<string | undefined> {
  const content = { bill_type: 'trade', bill_date: day }
  const reply = z.object({ bill_download_url: z.url({ protocol: /^https?$/ }) })
  try {
    const found = await client.call('alipay.data.dataservice.bill.downloadurl.query', content, reply)
    return found.bill_download_url
  } catch (error) {
    if (error instanceof PayProviderError && error.code === SubCode.BillNotExist) return undefined
    throw error
  }
}

/** The archive has the list of trades and a summary, both as CSV in GBK. */
async function unpackTables(archive: Buffer): Promise<string[][][]> {
  try {
    const bytes = readerOfBuffer(archive)
    const tables: string[][][] = []
    for (const entry of await readZip(bytes)) {
      const content = await readEntry(bytes, entry, { maxBytes: maxCsvBytes })
      const text = new TextDecoder(isUtf8(content) ? 'utf-8' : 'gb18030').decode(content)
      tables.push([...parseRows(text, ',')])
    }
    return tables
  } catch (error) {
    throw unreadable(error)
  }
}

const kinds: Record<string, BillEntry['kind']> = { 交易: 'payment', 退款: 'refund' }

/** Cells end in tabs, lines of remarks begin with a number sign, and amounts of refunds are negative. */
function readTable(rows: string[][]): BillEntry[] {
  const cells = rows.map((row) => row.map((cell) => cell.trim()))
  const headAt = cells.findIndex(([first]) => first === '支付宝交易号')
  // The summary.
  if (headAt < 0) return []
  const columns = (cells[headAt] ?? []).map((name) => name.replace(/[（(]元[）)]$/, ''))
  return cells.slice(headAt + 1).flatMap((row) => {
    if (row[0]?.startsWith('#')) return []
    const cell = (name: string) => row[columns.indexOf(name)] ?? ''
    const kind = kinds[cell('业务类型')]
    if (!kind) return []
    const fen = yuanToFen(cell('订单金额').replace(/^-/, ''))
    const at = parseBeijingTime(cell('完成时间'))
    if (fen === undefined || at === null) throw unreadable(`a row of the bill: ${row.join(',')}`)
    return [
      {
        kind,
        attemptNo: cell('商户订单号'),
        transactionId: cell('支付宝交易号'),
        refundNo: kind === 'refund' ? cell('退款批次号/请求号') : '',
        fen,
        at,
      },
    ]
  })
}
