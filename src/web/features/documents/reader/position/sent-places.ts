import { createStore } from '#web/lib/store.ts'

/** How often places were sent to the server: what shows the progress of the reader asks again. */
export const sentPlaces = createStore(() => 0)
