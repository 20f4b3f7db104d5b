import type { Deployment } from '../../operator/deployment/deployment.ts';
import { uploads } from '../../operator/uploads/fields.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import type { Upload } from '../../operator/uploads/upload.ts';
import { entityColumns, NamesScope } from './entity.tsx';
import { Newest, type NewestProps } from './list.tsx';

/** A part of a page with uploads, and the names of their files and clients. @param without columns that all rows share */
export async function uploadsPart(
  deployment: Deployment,
  rows: readonly Upload[],
  shown: Omit<NewestProps<Upload>, 'columns' | 'rows'>,
  ...without: readonly string[]
) {
  return (
    <NamesScope.Provider value={await namesFor(deployment, rows)}>
      <Newest {...shown} columns={entityColumns(uploads, ...without)} rows={rows} />
    </NamesScope.Provider>
  );
}
