class A {
	#x = 1;
	#y = 2;
	static z = 3;

	get x() {
		return this.#x;
	}

	set x(v) {
		this.#x = v;
	}
}
