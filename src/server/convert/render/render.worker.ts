import { drawPage, openBook, readPages, silence, takePicture } from './engine.ts'
import { Refused } from './failures.ts'
import { type Answers, type Kind, ready, type Reply, type Request } from './messages.ts'

/** A process that draws: one request at a time, until its parent lets go of it or something breaks. */

async function answer(request: Request): Promise<Reply> {
  try {
    return { value: await perform(request) }
  } catch (error) {
    if (error instanceof Refused) return { failed: error.reason, detail: error.message }
    throw error
  }
}

function perform(request: Request): Answers[Kind] | Promise<Answers[Kind]> {
  switch (request.kind) {
    case 'open':
      return openBook(request.book)
    case 'page':
      return drawPage(request.book, request.page)
    case 'lines':
      return readPages(request.book, request.from, request.to)
    default:
      return takePicture(request.book, request.page, request.width)
  }
}

silence()
process.on('disconnect', () => process.exit())
// Anything but a refusal is a crash: the process ends and the parent takes another one.
process.on('message', (request: Request) => void answer(request).then((reply) => process.send?.(reply)))
process.send?.(ready)
