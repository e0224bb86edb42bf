import { Visibility } from '#shared/enums.ts'

/** Who may see a document, and whether they may download it. */
export interface Audience {
  visibility: Visibility
  groups: readonly number[]
  downloadable: boolean
}

export const everyone: Audience = { visibility: Visibility.Public, groups: [], downloadable: true }

/** What is missing, if anything. */
export function audienceProblem({ visibility, groups }: Audience): string {
  return visibility === Visibility.Groups && groups.length === 0 ? '请选择可以看到文档的用户组' : ''
}

/** As the API takes it. */
export function toInput({ visibility, groups, downloadable }: Audience) {
  return { visibility, group_id: visibility === Visibility.Groups ? [...groups] : [], downloadable }
}
