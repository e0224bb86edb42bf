import { useNavigation } from 'react-router'
import { useFailures } from '#web/lib/progress.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

export function PageProgress() {
  return <ProgressBar active={useNavigation().state !== 'idle'} failures={useFailures()} />
}
