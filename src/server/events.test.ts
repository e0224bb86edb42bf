import { expect, test } from 'vitest'
import { eventBus } from './events.ts'
import { openLog } from './log.ts'

test('a listener hears events until it stops listening, the others go on', () => {
  const events = eventBus(openLog('silent'))
  const heard: string[] = []
  const stopListening = events.on('job.waiting', () => void heard.push('first'))
  events.on('job.waiting', () => void heard.push('second'))
  events.emit('job.waiting', {})
  stopListening()
  events.emit('job.waiting', {})
  expect(heard).toEqual(['first', 'second', 'second'])
})
