import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { machine } from '#shared/contract/system.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { version } from '#server/version.ts'
import { getBuild, productRoot } from './build.ts'
import { openCpuSampler, readDevice } from './device.ts'
import { ignoreRelease, getStoredRelease, getRecentRelease, type ReleaseConfig, setReleaseSource } from './release.ts'

export interface Machine {
  dataDir: string
  releases: ReleaseConfig
}

export function machineRoutes({ dataDir, releases }: Machine): Handlers<typeof machine> {
  const cpuSampler = openCpuSampler()
  return {
    about: async () => ({ version, ...(await getBuild()) }),
    device: () => readDevice(dataDir, cpuSampler),
    license: async () => ({
      name: 'AGPL-3.0-or-later',
      title: 'GNU Affero 通用公共许可证，第 3 版或更新的版本',
      text: await readFile(resolve(productRoot, 'LICENSE'), 'utf8'),
    }),
    release: (ctx) => getStoredRelease(ctx, releases),
    checkRelease: (ctx) => getRecentRelease(ctx, releases),
    async setReleaseSource(ctx, { source }) {
      await setReleaseSource(ctx, source)
      return {}
    },
    async ignoreRelease(ctx, { tag_name }) {
      await ignoreRelease(ctx, tag_name)
      return {}
    },
    sqlMode: async () => ({}),
  }
}
