/** One address, as people write it: nothing that mail programs would read as a list, a comment or a display name. */
export const emailPattern =
  /^[^\s@"<>(),:;\\[\]\p{Cc}\p{Cf}]+@[^\s@"<>(),:;\\[\]\p{Cc}\p{Cf}]+\.[^\s@"<>(),:;\\[\]\p{Cc}\p{Cf}.]{2,}$/u
