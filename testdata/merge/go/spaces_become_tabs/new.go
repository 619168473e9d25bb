package a

func h() {
    if x {
        g()
    }
}
