/**
 * What the engine says of a failure, a finding or a plan, with the names of this window instead of those of the command
 * line. What the remedy is, the engine alone decides; here it is only worded. Options of a server stay: they are its own.
 */
import { texts, type Catalogue } from '../texts.ts';
import { groupedNumbers } from './sentence-numbers.ts';

const { backups, backupErasure, doctor, repair, restore, scavenge, scavengeFlow, rescue, undo, verify } =
  texts;
const { placements } = scavenge;

/** A command with its arguments, in quotes, by how it begins; the first that fits. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/restore --continue\b/, named(restore.remedies.resume)],
  [/restore --undo\b/, named(restore.remedies.undo)],
  [/restore --finish\b/, `${named(restore.cut.see)} in ${named(restore.title)}`],
  [/restore\b/, view('restore')],
  [/repair\b/, `${named(repair.repairAll)} in ${view('verify')}`],
  [/index rebuild\b/, named(repair.rebuild)],
  [/backup create --mode full\b/, named(restore.restored.fullBackup)],
  [/backup prune\b/, `${named(backups.prune.plan)} in ${view('backups')}`],
  [/backup key\b/, `the button ${backups.encryption.title} in ${view('backups')}`],
  [/backup (?:create|schedule|verify|list|rehearse)\b/, view('backups')],
  [/backup scavenge\b/, `${named(backupErasure.erase)} in ${view('backups')}`],
  [/redact [^"]*@ID\b/, `${named(backupErasure.erase)} with ${named(backupErasure.kinds.redaction.name)}`],
  [/redact\b/, 'a redaction'],
  [/erasure\b/, view('erasure')],
  [/verify\b/, `${named(verify.run)} in ${view('verify')}`],
  [/doctor\b/, `${named(doctor.check)} in ${view('verify')}`],
  [/inspect\b/, view('overview')],
  [/chunks\b/, view('chunks')],
  [/streams\b/, view('streams')],
  [/fleet\b/, `the page ${texts.fleet.title}`],
  [/activity\b/, `the view ${texts.activity.title}`],
  [/records\b/, view('records')],
  [/cluster scavenge\b/, 'the cluster of this node'],
  [
    /scavenge --threshold -1 --always-keep-scavenged\b/,
    `a scavenge with the threshold -1 and ${named(scavenge.alwaysKeep)}`
  ],
  [/scavenge --undo --forget\b/, `${named(undo.forget)} in ${view('scavenge')}`],
  [/scavenge --undo\b/, `${named(undo.plan)} in ${view('scavenge')}`],
  [/scavenge --start-afresh\b/, `a scavenge with ${named(scavengeFlow.startAfresh)}`],
  [/scavenge\b/, view('scavenge')],
  [/rescue\b/, view('rescue')]
];

/** An option and the control of this window that sets it. */
const OPTIONS: readonly (readonly [RegExp, string])[] = [
  [/--scavenge-point existing/, named(placements.existing.name)],
  [/--scavenge-point detached/, named(placements.detached.name)],
  [/--scavenge-point new/, named(placements.new.name)],
  [/--max-truncation -1/, named(restore.cutLimit.any)],
  [/--check/, named(texts.extract.events.check)],
  [/--mode full/, named(backups.modes.full)],
  [/--threshold (-?\d+)/, 'the threshold $1'],
  [/--threshold/, named(scavenge.threshold)],
  [/--from-backup/, named(repair.give)],
  [/--accept-loss/, named(repair.acceptLoss)],
  [/--key-file/, named(restore.key.file)],
  [/--password-stdin/, named(restore.key.password)],
  [/--apply-truncation/, named(restore.applyTruncation)],
  [/--keep-replaced/, named(undo.keep)],
  [/--assume-stopped/, named(scavengeFlow.assumeStopped)],
  [/--start-afresh/, named(scavengeFlow.startAfresh)],
  [/--always-keep-scavenged/, named(scavenge.alwaysKeep)],
  [/--unsafe-ignore-hard-deletes/, named(scavenge.ignoreHardDeletes)],
  [/--no-merge/, `no tick at ${named(scavenge.merge)}`],
  [/--single-node/, named(scavenge.single)],
  [/--moved/, named(backups.more.moved)],
  [/--stop-scavenge/, named(backups.more.stopScavenge)],
  [/--node-url/, named(backups.more.server)],
  [/--user/, named(backups.more.user)],
  [/--node-ca/, named(backups.more.authority)],
  [/--s3-endpoint/, named(backups.store.endpoint)],
  [/--keep-(last|daily|weekly|monthly)/, '“$1”'],
  [/--scratch-directory/, 'another volume'],
  [/--scratch/, named(rescue.scratch)],
  [/--reserve/, named(rescue.reserve)],
  [/--quick/, named(texts.verify.quick)],
  [/--threads 1/, 'one thread'],
  [/--index/, named(restore.place.index)]
];

/** Of what quotes it, and with what a value would be. */
const ALL_OPTIONS = OPTIONS.map(
  ([option, words]) => [new RegExp(`"?${option.source}(?![\\w=-])"?`, 'g'), words] as const
);

/** The same in the words of this window. */
export function inWindowWords(text: string): string {
  if (!text.includes('--') && !text.includes('"winnow ')) return groupedNumbers(text);
  let worded = text.replaceAll(/"winnow ([^"]+)"/g, (whole, command: string) => {
    return COMMANDS.find(([start]) => new RegExp(`^${start.source}`).test(command))?.[1] ?? whole;
  });
  for (const [option, words] of ALL_OPTIONS) worded = worded.replaceAll(option, words);
  // An option is given, a control is chosen.
  worded = worded.replaceAll(/\b(Give|give) (?=[“„])/g, (verb) =>
    verb.startsWith('G') ? 'Choose ' : 'choose '
  );
  return groupedNumbers(worded);
}

function named(label: string): string {
  return texts.language.quoted(label.replace(/…$/, ''));
}

function view(name: keyof Catalogue['views']): string {
  return `the view ${texts.views[name]}`;
}
