declare const passedTheDoor: unique symbol;

/** An absolute address that the redirect door (`features/session/redirectDoor.ts`) let through. Only the door makes one. */
export type AllowedUrl = string & { readonly [passedTheDoor]: true };
