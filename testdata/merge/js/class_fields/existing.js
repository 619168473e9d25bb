class A {
	#x = 1;

	get x() {
		return this.#x;
	}
}
