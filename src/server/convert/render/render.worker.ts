import { extractLines, openDocument, renderCover, renderImage, renderPage, silenceLog } from './engine.ts'
import { RenderFailure } from './failures.ts'
import { ready, type Reply, type Request, type RequestKind, type Results } from './messages.ts'

/** The renderer process: handles one request at a time, until its parent disconnects or it crashes. */

async function handle(request: Request): Promise<Reply> {
  try {
    return { value: await perform(request) }
  } catch (error) {
    if (error instanceof RenderFailure) return { failed: error.reason, detail: error.message }
    throw error
  }
}

function perform(request: Request): Results[RequestKind] | Promise<Results[RequestKind]> {
  switch (request.kind) {
    case 'open':
      return openDocument(request.source)
    case 'page':
      return renderPage(request.source, request.page)
    case 'lines':
      return extractLines(request.source, request)
    case 'cover':
      return renderCover(request.source, request.width)
    default:
      return renderImage(request.source, request.page, request.width)
  }
}

silenceLog()
process.on('disconnect', () => process.exit())
// Any other error ends the process; the pool then starts another.
process.on('message', (request: Request) => void handle(request).then((reply) => process.send?.(reply)))
process.send?.(ready)
