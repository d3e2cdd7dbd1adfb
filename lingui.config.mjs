// @ts-check
import extractor from '@lingui/cli/api/extractors/babel';
import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import catalogues from './scripts/build/catalogues.js';

export default defineConfig({
  sourceLocale: 'en',
  locales: catalogues.languagesIn(catalogues.folder),
  catalogs: [
    { path: '<rootDir>/locales/{locale}', include: ['<rootDir>/src/**/*.messages.ts'] },
    {
      path: '<rootDir>/packages/service/locales/{locale}',
      include: ['<rootDir>/packages/service/src/**/*.messages.ts'],
    },
  ],
  orderBy: 'origin',
  format: formatter({ lineNumbers: false }),
  extractors: [
    {
      match: (file) => extractor.match(file),
      // The key of an entry is made of the id and the English text, so that a changed text needs a new translation.
      extract: (file, code, onMessageExtracted, context) =>
        extractor.extract(
          file,
          code,
          ({ id, message = '', ...rest }) =>
            onMessageExtracted({ ...rest, id: generateMessageId(message, id), message, context: id }),
          context,
        ),
    },
  ],
});
