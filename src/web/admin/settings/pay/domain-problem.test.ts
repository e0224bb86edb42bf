import { expect, test } from 'vitest'
import { findDomainProblem } from '#web/admin/settings/pay/domain-problem.ts'

test.each([
  ['', '还没有填写'],
  ['wenku', '写得不对'],
  ['http://wenku.example.com', '不是 https'],
  ['https://wenku.example.com:8443', '端口'],
  ['http://localhost:8880', '内网'],
  ['https://192.168.1.9', '内网'],
  ['https://172.20.0.1', '内网'],
  ['https://[fd00::1]', '内网'],
  ['https://nas.lan', '内网'],
])('%s', (domain, problem) => {
  expect(findDomainProblem(domain)).toContain(problem)
})

test.each(['https://wenku.example.com', 'https://172.32.0.1'])('%s can be reached', (domain) => {
  expect(findDomainProblem(domain)).toBeUndefined()
})
