/** The elements that a theme applies to, as a selector of CSS. */
export const themeSelector = (brand: string): string => `[data-theme="${escaped(brand)}"]`;

/** For a string of CSS in a `<style>` element. */
export const escaped = (text: string): string =>
  text.replace(/[^\w-]/gu, (character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `);
