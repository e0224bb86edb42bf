/**
 * The browser paints a page from the server for the first time when it has read it up to here. On a slow phone it would
 * otherwise paint half a row, and what is centred or at the end of the row would move.
 */
export function HoldFirstPaint({ id }: { id: string }) {
  return (
    <>
      {/* React puts it into the head. */}
      <link rel="expect" href={`#${id}`} blocking="render" />
      <span id={id} hidden />
    </>
  )
}
