import type { File } from '../../../cli/operations/files.ts';
import { Badge } from '../../components/text.tsx';

/** Whether clients can sync into a file. */
export function FileStatus({ file }: { readonly file: File }) {
  if (file.deleted_at !== undefined) {
    return <Badge tone="bad">deleted</Badge>;
  }
  return file.sync_enabled ? <Badge tone="good">enabled</Badge> : <Badge tone="plain">disabled</Badge>;
}
