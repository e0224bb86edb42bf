import { randomBytes } from 'node:crypto'
import type { Settings } from '#shared/settings.ts'
import { aliyunSms } from './aliyun.ts'
import { baiduSms } from './baidu.ts'
import { httpSms } from './http/http-sms.ts'
import { huaweiSms } from './huawei.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { refused, type SmsDriver, type SmsEnvironment, type SmsProviderName, smsProviderNames } from './sms-driver.ts'
import { tencentSms } from './tencent.ts'

const drivers: Record<SmsProviderName, (sms: Settings['sms'], environment: SmsEnvironment) => SmsDriver> = {
  aliyun: aliyunSms,
  tencent: tencentSms,
  baidu: baiduSms,
  huawei: huaweiSms,
  // Its protocol is not public: the owner describes it.
  haomas: httpSms,
}

/** The driver of the provider that the settings name. */
export function openSmsDriver(sms: Settings['sms'], environment: Omit<SmsEnvironment, 'nonce'>): SmsDriver {
  const name = smsProviderNames.find((known) => known === sms.provider) ?? 'aliyun'
  const driver = drivers[name](sms, { nonce: () => randomBytes(16).toString('hex'), ...environment })
  return {
    async send(message) {
      try {
        return await driver.send(message)
      } catch (error) {
        if (error instanceof OutboundError) return refused(error.message)
        throw error
      }
    },
  }
}
