/** A single address, without anything that mail programs parse as a list, a comment or a display name. */
export const emailPattern =
  /^[^\s@"<>(),:;\\[\]\p{Cc}\p{Cf}]+@[^\s@"<>(),:;\\[\]\p{Cc}\p{Cf}]+\.[^\s@"<>(),:;\\[\]\p{Cc}\p{Cf}.]{2,}$/u
