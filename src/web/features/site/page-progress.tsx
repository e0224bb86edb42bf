import { useNavigation } from 'react-router'
import { usePageFailures } from '#web/features/site/page-failures.ts'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'

export function PageProgress() {
  return <ProgressBar active={useNavigation().state !== 'idle'} failures={usePageFailures()} />
}
