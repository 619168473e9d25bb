const a = 1;
let f = () => { return a; };
