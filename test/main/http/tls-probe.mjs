// Prints the status of a page: in a process of its own, because authorities are chosen at the start of a process.
const answer = await fetch(process.argv[2]);
process.stdout.write(String(answer.status));
