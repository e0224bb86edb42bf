import { readFile, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { filesUnder } from './files.mjs'

const textual = /\.(js|mjs|css|svg|json|html|txt|xml|webmanifest)$/
const minSize = 1024

/** Writes .br and .gz files for text files, so that the server does not compress them at run time. */
export async function precompress(folder) {
  const files = filesUnder(folder)
  // Source maps would publish the sources of the page.
  await Promise.all(files.filter((file) => file.endsWith('.map')).map((file) => rm(file)))
  await Promise.all(files.filter((file) => textual.test(file)).map(compress))
}

async function compress(file) {
  const content = await readFile(file)
  if (content.length < minSize) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
