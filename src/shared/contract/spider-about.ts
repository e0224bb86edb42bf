import * as z from 'zod/mini'
import { get } from '../endpoint.ts'
import { none } from '../fields.ts'

/** For the owners of the sites that the crawler visits. */
export const spiderAbout = {
  get: get('/spider/about', {
    summary: '采集程序的名称，供对方网站的站长识别',
    access: 'open',
    input: none,
    reply: z.object({
      user_agent: z.string(),
      /** The name that robots.txt knows it by. */
      product: z.string(),
    }),
  }),
}
