import { type Described, type DescribedCommand, optionsWithValue, type Value } from './describe.ts';

/** The shells that completion is made for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** Makes the script that completes a program in a shell. The script calls neither the program nor AWS. */
export function completionScript(shell: Shell, name: string, commands: readonly DescribedCommand[]): string {
  const makers = { bash: bashScript, zsh: zshScript, fish: fishScript };
  return makers[shell](name, commands);
}

/** Where the words of the command line are in bash and zsh, which share the loop that finds the command. */
interface Words {
  readonly array: string;
  readonly first: number;
  readonly cursor: string;
}

/** A loop that leaves the command before the cursor in `$command`, each name after a space. */
function findCommand(commands: readonly DescribedCommand[], { array, first, cursor }: Words): string {
  return `  local command='' word skip='' i
  for ((i = ${first}; i < ${cursor}; i++)); do
    word=\${${array}[i]}
    if [[ -n $skip ]]; then
      # In bash, the equals sign of --option=value is a word of its own.
      [[ $word == '=' ]] || skip=''
      continue
    fi
    case $word in
      ${optionsWithValue(commands).join(' | ')}) skip=1 ;;
      *) case "$command $word" in
        ${commands.map(({ path }) => `' ${path}'`).join(' | ')}) command="$command $word" ;;
      esac ;;
    esac
  done`;
}

/** How a command is written in a pattern: with the space that the loop puts before each name. */
function patternOf(path: string): string {
  return path === '' ? '' : ` ${path}`;
}

/** Branches for the values of options. An option that means the same everywhere still has one branch per command. */
function valueBranches(commands: readonly DescribedCommand[], offer: (value: Value) => string): string {
  return commands
    .flatMap(({ path, options }) =>
      options.flatMap(({ word, value }) =>
        value === undefined ? [] : [`    '${patternOf(path)} ${word}') ${offer(value)} ;;`],
      ),
    )
    .join('\n');
}

function branches(
  commands: readonly DescribedCommand[],
  content: (command: DescribedCommand) => string | undefined,
): string {
  return commands
    .flatMap((command) => {
      const text = content(command);
      return text === undefined ? [] : [`      '${patternOf(command.path)}') ${text} ;;`];
    })
    .join('\n');
}

function wordsOf(described: readonly Described[]): string {
  return described.map(({ word }) => word).join(' ');
}

function functionName(name: string): string {
  return `_${name.replaceAll('-', '_')}`;
}

function bashScript(name: string, commands: readonly DescribedCommand[]): string {
  const offer = (value: Value) =>
    value.kind === 'words' ? `words='${value.words.join(' ')}'` : `paths=${value.kind}`;
  return `# Completion of ${name} for bash 3.2 and later.
${functionName(name)}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words='' paths=''
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
${findCommand(commands, { array: 'COMP_WORDS', first: 1, cursor: 'COMP_CWORD' })}
  case "$command $previous" in
${valueBranches(commands, offer)}
    *) if [[ $current == -* ]]; then
      case $command in
${branches(commands, ({ options }) => `words='${wordsOf(options)}'`)}
      esac
    else
      case $command in
${branches(commands, (command) => {
  if (command.commands.length > 0) {
    return `words='${wordsOf(command.commands)}'`;
  }
  return command.argument && offer(command.argument);
})}
      esac
    fi ;;
  esac
  COMPREPLY=()
  case $paths in
    file | folder)
      local IFS=$'\\n' kind=-f
      [[ $paths == folder ]] && kind=-d
      COMPREPLY=($(compgen "$kind" -- "$current"))
      # bash 3.2 has no compopt.
      compopt -o filenames 2>/dev/null
      ;;
    '') COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -F ${functionName(name)} ${name}
`;
}

function zshScript(name: string, commands: readonly DescribedCommand[]): string {
  const offers = {
    file: '_files',
    folder: '_files -/',
    // Nothing can be offered, and a message says what is expected.
    text: ':',
  };
  const offer = (value: Value) =>
    value.kind === 'words' ? `compadd -- ${value.words.join(' ')}` : offers[value.kind];
  return `#compdef ${name}
# Completion of ${name} for zsh.
${functionName(name)}() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT - 1]}
  local -a found
  if [[ $current == --*=* ]]; then
    previous=\${current%%=*}
    compset -P '*='
  fi
${findCommand(commands, { array: 'words', first: 2, cursor: 'CURRENT' })}
  case "$command $previous" in
${valueBranches(commands, offer)}
    *) if [[ $current == -* ]]; then
      case $command in
${branches(commands, ({ options }) => `found=(${zshDescribed(options)})`)}
      esac
      _describe option found
    else
      case $command in
${branches(commands, (command) => {
  if (command.commands.length > 0) {
    return `found=(${zshDescribed(command.commands)}); _describe command found`;
  }
  return command.argument && offer(command.argument);
})}
      esac
    fi ;;
  esac
}
# As a file in $fpath it is called; as a file that is sourced it registers itself.
if [[ \${funcstack[1]} == ${functionName(name)} ]]; then
  ${functionName(name)} "$@"
else
  compdef ${functionName(name)} ${name}
fi
`;
}

function zshDescribed(described: readonly Described[]): string {
  return described.map(({ word, description }) => inQuotes(`${word}:${description}`, "'\\''")).join(' ');
}

function fishScript(name: string, commands: readonly DescribedCommand[]): string {
  const prefix = `_${functionName(name)}`;
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `# Completion of ${name} for fish.
function ${prefix}_command
    set -l path
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        if contains -- $word ${optionsWithValue(commands).join(' ')}
            set skip 1
        else if contains -- (string join -- ' ' $path $word) ${paths.join(' ') || "''"}
            set path $path $word
        end
    end
    string join -- ' ' $path
end
function ${prefix}_is
    set -l path (${prefix}_command)
    test "$path" = "$argv"
end
complete -c ${name} -f
${commands.flatMap((command) => fishLines(name, `-n '${prefix}_is ${command.path}'`, command)).join('\n')}
`;
}

function fishLines(
  name: string,
  condition: string,
  { commands, options, argument }: DescribedCommand,
): readonly string[] {
  const start = `complete -c ${name} ${condition}`;
  return [
    ...commands.map(({ word, description }) => `${start} -a ${word} -d ${fishText(description)}`),
    ...options.map(({ word, description, value }) =>
      [
        start,
        `-l ${word.slice(2)}`,
        ...(value ? [fishValue(value)] : []),
        `-d ${fishText(description)}`,
      ].join(' '),
    ),
    ...(argument && argument.kind !== 'text' ? [`${start} ${fishValue(argument)}`] : []),
  ];
}

function fishValue(value: Value): string {
  switch (value.kind) {
    case 'words':
      return `-x -a '${value.words.join(' ')}'`;
    case 'file':
      return '-r -F';
    case 'folder':
      return "-x -a '(__fish_complete_directories)'";
    case 'text':
      return '-x';
  }
}

function fishText(text: string): string {
  return inQuotes(text.replaceAll('\\', '\\\\'), "\\'");
}

/** @param quote how the shell writes an apostrophe within apostrophes */
function inQuotes(text: string, quote: string): string {
  return `'${text.replaceAll("'", quote)}'`;
}
