import { expect, test } from 'vitest'
import { signAliyun } from './aliyun.ts'
import { signBaidu } from './baidu.ts'
import { canonicalQuery, canonicalRequest, sha256Hex } from './canonical.ts'
import { hashForHuawei, signHuawei } from './huawei.ts'
import { signTencent } from './tencent.ts'

/** The examples that the providers have published. */

test('Aliyun: ACS3-HMAC-SHA256', () => {
  const request = {
    method: 'POST' as const,
    path: '/',
    query: canonicalQuery([
      ['RegionId', 'cn-shanghai'],
      ['ImageId', 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd'],
    ]),
    headers: {
      host: 'ecs.cn-shanghai.aliyuncs.com',
      'x-acs-action': 'RunInstances',
      'x-acs-content-sha256': sha256Hex(''),
      'x-acs-date': '2023-10-26T10:22:32Z',
      'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
      'x-acs-version': '2014-05-26',
    },
    body: '',
  }
  expect(sha256Hex(canonicalRequest(request))).toBe('7ea06492da5221eba5297e897ce16e55f964061054b7695beedaac1145b1e259')
  expect(signAliyun(request, 'YourAccessKeyId', 'YourAccessKeySecret')).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,' +
      'SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,' +
      'Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  )
})

test('Tencent: TC3-HMAC-SHA256', () => {
  const request = {
    method: 'POST' as const,
    path: '/',
    query: '',
    headers: { 'content-type': 'application/json; charset=utf-8', host: 'cvm.tencentcloudapi.com' },
    body: String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`,
  }
  expect(sha256Hex(request.body)).toMatch(/^35e9c5b0.*34f064$/)
  expect(sha256Hex(canonicalRequest(request))).toBe('5ffe6a04c0664d6b969fab9a13bdab201d63ee709638e2749d62a09ca18d7031')
  const signer = {
    service: 'cvm',
    timestamp: 1_551_113_065,
    id: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
    secret: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
  }
  expect(signTencent(request, signer)).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, ' +
      'SignedHeaders=content-type;host, ' +
      'Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
  )
  // Newer documents sign the action too.
  const withAction = { ...request, headers: { ...request.headers, 'x-tc-action': 'describeinstances' } }
  expect(sha256Hex(canonicalRequest(withAction))).toBe(
    '7019a55be8395899b900fb5564e4200d984910f34794a27cb3fb7d10ff6a1e84',
  )
})

test.each([
  [
    {
      'content-length': '8',
      'content-md5': 'NFzcPqhviddjRNnSOGo4rw==',
      'content-type': 'text/plain',
      host: 'bj.bcebos.com',
      'x-bce-date': '2015-04-27T08:23:49Z',
    },
    'd74a04362e6a848f5b39b15421cb449427f419c95a480fd6b8cf9fc783e2999e',
  ],
  [
    { host: 'bj.bcebos.com', 'x-bce-date': '2015-04-27T08:23:49Z' },
    '1b8de5a23a56eef657c69f94c621e7acd227d049a4ba577f537d5e5cebf0cf32',
  ],
])('Baidu: bce-auth-v1 over %j', (headers, signature) => {
  const request = {
    method: 'PUT' as const,
    path: '/v1/test/myfolder/readme.txt',
    query: canonicalQuery([
      ['partNumber', '9'],
      ['uploadId', 'a44cc9bab11cbd156984767aad637851'],
    ]),
    headers,
  }
  const signer = { accessKey: 'a'.repeat(32), secret: 'b'.repeat(32), date: '2015-04-27T08:23:49Z' }
  expect(signBaidu(request, signer)).toBe(
    `bce-auth-v1/${'a'.repeat(32)}/2015-04-27T08:23:49Z/1800/${Object.keys(headers).join(';')}/${signature}`,
  )
})

test('Huawei: SDK-HMAC-SHA256, of which the hash is published', () => {
  const request = {
    method: 'GET' as const,
    path: '/v1/77b6a44cba5143ab91d13ab9a8ff44fd/vpcs',
    query: canonicalQuery([
      ['limit', '2'],
      ['marker', '13551d6b-755d-4757-b956-536f674975c0'],
    ]),
    headers: {
      'content-type': 'application/json',
      host: 'service.region.example.com',
      'x-sdk-date': '20191115T033655Z',
    },
    body: '',
  }
  expect(hashForHuawei(request)).toBe('b25362e603ee30f4f25e7858e8a7160fd36e803bb2dfe206278659d71a9bcd7a')
  expect(signHuawei(request, 'KEY', 'secret')).toMatch(
    /^SDK-HMAC-SHA256 Access=KEY, SignedHeaders=content-type;host;x-sdk-date, Signature=[0-9a-f]{64}$/,
  )
})
