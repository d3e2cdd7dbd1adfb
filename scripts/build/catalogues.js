// @ts-check
const { createHash } = require('node:crypto');
const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

const folder = path.resolve(__dirname, '../../locales');

/**
 * Writes each catalogue (`locales/*.po`) into `assets/` in two pieces, the texts of `/login` and the rest, and writes `languages.json`, which
 * tells the host the path of the first pieces. All have one hash, because the page contains it: ten would be 80 bytes.
 */
class Catalogues {
  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap('Catalogues', (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tapPromise({ name: 'Catalogues', stage }, async () => {
        compilation.contextDependencies.add(folder);
        const isDevelopment = compiler.options.mode === 'development';
        const read = (isDevelopment ? developmentLanguages() : languagesIn(folder)).map(
          async (language) => /** @type {const} */ ([language, piecesOf(await readCatalogue(language))]),
        );
        const catalogues = await Promise.all(read);
        const hash = createHash('sha256').update(JSON.stringify(catalogues)).digest('hex').slice(0, 8);
        for (const [language, pieces] of catalogues)
          for (const [name, messages] of Object.entries(pieces)) {
            const source = new sources.RawSource(JSON.stringify(messages));
            compilation.emitAsset(`assets/${language}.${name}.${hash}.json`, source);
          }
        const texts = Object.fromEntries(catalogues.map(([language]) => [language, []]));
        const written = { script: '', path: `/assets/*.login.${hash}.json`, texts };
        compilation.emitAsset('languages.json', new sources.RawSource(JSON.stringify(written)));
      });
    });
  }
}

/** @param {string} folder */
const languagesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.po'))
    .map((name) => name.slice(0, -'.po'.length));

/** Shows in development what is not translated. Its texts are the English ones, changed by `longer` and in brackets. */
const pseudoLanguage = 'en-XA';
const developmentLanguages = () => [...languagesIn(folder), pseudoLanguage];
const [plain, accented] = ['aceinouyACEINOUY', 'áçéîñöûýÁÇÉÎÑÖÛÝ'];

/** Adds accents, and makes a text 40 % longer. Lingui calls it for each piece of a message, but not for placeholders. @param {string} text */
const longer = (text) =>
  text.replace(/[a-z]/gi, (letter) => accented[plain.indexOf(letter)] ?? letter) +
  '~'.repeat(Math.ceil(text.length * 0.4));

/**
 * The compiled translations of a language by the id of their message, such as 'login/auth.signIn.title'.
 *
 * @param {string} language
 * @returns {Promise<Map<string, { message: string, compiled: readonly unknown[] }>>}
 */
async function readCatalogue(language) {
  const { formatter } = await import('@lingui/format-po');
  const { compileMessageOrThrow } = await import('@lingui/message-utils/compileMessage');
  const isPseudo = language === pseudoLanguage;
  // Any catalogue contains the English texts.
  const filename = path.join(folder, `${isPseudo ? languagesIn(folder)[0] : language}.po`);
  const context = { locale: language, sourceLocale: 'en', filename };
  const entries = Object.values(await formatter().parse(readFileSync(filename, 'utf8'), context));
  return new Map(
    entries.flatMap(({ context: id, message = '', translation }) => {
      // The texts of `date` are formats.
      if (id === undefined || translation === '' || (isPseudo && id.startsWith('date.'))) return [];
      const compiled = isPseudo
        ? ['[', ...compileMessageOrThrow(message, longer), ']']
        : compileMessageOrThrow(translation);
      return [[id, { message, compiled }]];
    }),
  );
}

/** @param {Awaited<ReturnType<typeof readCatalogue>>} catalogue */
function piecesOf(catalogue) {
  /** @type {Record<'login' | 'rest', Record<string, readonly unknown[]>>} */
  const pieces = { login: {}, rest: {} };
  for (const [id, { compiled }] of catalogue)
    pieces[id.startsWith('login/') ? 'login' : 'rest'][id] = compiled;
  return pieces;
}

/** The locales of moment for the languages that have a catalogue. */
function dateLocales() {
  const names = languagesIn(folder).flatMap((tag) => {
    const { language, region } = new Intl.Locale(tag).maximize();
    return [language, `${language}-${region}`];
  });
  return new RegExp(`^\\./(?:${names.join('|')})$`, 'i');
}

module.exports = { Catalogues, dateLocales, developmentLanguages, languagesIn, readCatalogue, folder };
