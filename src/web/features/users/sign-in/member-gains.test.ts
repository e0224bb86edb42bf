import { expect, test } from 'vitest'
import { listGains } from '#web/features/users/sign-in/member-gains.tsx'

const score = { register: 10, sign_in: 1, upload_document: 5, upload_document_limit: 2 }
const download = { times_every_day: 20, times_every_ip: 10 }
const default_group = { enable_upload: true, enable_article: true }
const always = '收藏、笔记和读到的页，换一台设备也在'

test('a visitor reads what a member gets, in the owner’s word for credits', () => {
  expect(listGains({ score, download, default_group }, '积分')).toEqual([
    '注册即得 10 个积分',
    '每日签到得 1 个积分',
    '上传文档得 5 个积分，每天 2 份',
    '发布自己的文章',
    '每天可以下载 10 份文档',
    always,
  ])
})

test('nothing is promised that is switched off', () => {
  const neither = { enable_upload: false, enable_article: false }
  const nothing = { register: 0, sign_in: 0, upload_document: 5, upload_document_limit: 0 }
  const closed = { times_every_day: 20, times_every_ip: 0 }
  expect(listGains({ score: nothing, download: closed, default_group: neither }, '豆子')).toEqual([always])
  expect(listGains({ score, download, default_group: neither }, '豆子').join()).not.toContain('上传')
  const uploads = listGains({ score: nothing, download: closed, default_group }, '豆子')
  expect(uploads).toEqual(['上传自己的文档', '发布自己的文章', always])
})
