import { writeWholeFile } from '../../../../tools/admin/whole-file.ts';

/** Program that writes a file whose content never ends. Parameter: path of the file. */

async function* endless() {
  yield Buffer.from('part');
  await new Promise(() => setInterval(() => {}, 1000));
}

await writeWholeFile(process.argv[2] ?? '', endless(), false);
