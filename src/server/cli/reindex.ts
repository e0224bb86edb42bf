import { enqueueIndexCheck } from '#server/modules/search/indexing.ts'
import type { Command } from './command.ts'

export const reindexCommand: Command = {
  summary: '重建搜索索引',
  help: '用法：npm run cli -- reindex\n重新收录全部文档和文章。网站照常提供服务和搜索；没有运行时，下次启动后开始。',
  wordless: true,
  async run(ctx) {
    await enqueueIndexCheck(ctx, { all: true })
    console.log('已安排重建搜索索引，由运行中的网站在后台完成。')
  },
}
