import { useId } from 'react'
import { users } from '#shared/contract/users.ts'
import type { UploadDefaults } from '#web/features/documents/upload/row.ts'
import { queue } from '#web/features/documents/upload/window-queue.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { cx } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { controlClass } from '#web/ui/forms/input.tsx'

interface OwnerFieldProps {
  owner: UploadDefaults['owner']
  error: string
}

const typingPauseMs = 300

/** For staff: the member to whom the documents will belong. */
export function OwnerField({ owner: { name }, error }: OwnerFieldProps) {
  const listId = useId()
  const wanted = name.trim()
  const found = useQuery(wanted, () => findMembers(wanted), { enabled: wanted !== '', debounceMs: typingPauseMs })
  return (
    <Field label="上传者" error={error} help="代他人上传时填写用户名，文档归他所有；留空则是您自己">
      {(control) => (
        <>
          <input
            {...control}
            list={listId}
            value={name}
            placeholder="您自己"
            autoComplete="off"
            onChange={({ target }) => queue.setDefaults({ owner: { name: target.value, id: 0 } })}
            className={cx(controlClass, 'h-11')}
          />
          <datalist id={listId}>
            {wanted !== '' && found.data?.map((username) => <option key={username}>{username}</option>)}
          </datalist>
        </>
      )}
    </Field>
  )
}

/** The names to choose from. The one that is typed already is chosen. */
async function findMembers(wanted: string): Promise<string[]> {
  const { user } = await api(users.list, { wd: wanted, page: 1, size: 10 })
  const { owner } = queue.state().defaults
  const chosen = user.find(({ username }) => username === wanted)
  if (chosen && owner.name.trim() === wanted) queue.setDefaults({ owner: { name: chosen.username, id: chosen.id } })
  return user.map(({ username }) => username)
}

/** Why the documents cannot be published for the chosen member. */
export function ownerProblem({ name, id }: UploadDefaults['owner']): string {
  return name.trim() !== '' && id === 0 ? '没有这个用户，请从列表里选择' : ''
}
